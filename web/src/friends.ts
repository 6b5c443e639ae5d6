// Whom the signed-in account follows and blocks.
import type { Schemas } from "./api/client";
import { lines } from "./api/lines";

export type Friend = Schemas["User"];
export type FriendStatus = Schemas["UserStatus"];

/** The accounts that the caller follows or blocks; none for whoever is not signed in. */
export async function following(list: "following" | "blocking"): Promise<readonly Friend[]> {
  return (await lines<Friend>(`/api/rel/${list}`)) ?? [];
}

/** How many accounts one request for their status may name. */
const atOnce = 100;

/** Those of the accounts that are online, with the games that they play. */
export async function online(friends: readonly Friend[]): Promise<readonly FriendStatus[]> {
  const all: FriendStatus[] = [];
  for (let i = 0; i < friends.length; i += atOnce) {
    const ids = friends.slice(i, i + atOnce).map(({ id }) => id).join(",");
    const answer = await fetch(`/api/users/status?withGameIds=true&ids=${ids}`);
    if (answer.ok) all.push(...((await answer.json()) as FriendStatus[]));
  }
  return all.filter((status) => status.online);
}
