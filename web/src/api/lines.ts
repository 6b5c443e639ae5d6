/** Asks for a list that comes with one value a line; undefined if it is refused. */
export async function lines<T>(path: string): Promise<readonly T[] | undefined> {
  const answer = await fetch(path, { headers: { Accept: "application/x-ndjson" } });
  if (!answer.ok) return undefined;
  return (await answer.text()).split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as T);
}
