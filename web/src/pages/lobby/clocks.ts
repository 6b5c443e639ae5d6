// The usual clocks, one press each. Pure.

/** A clock that people usually play with: minutes, and seconds for each move. */
export interface QuickClock {
  readonly minutes: number;
  readonly seconds: number;
  /** "5+3". */
  readonly text: string;
  /** "Blitz". */
  readonly speed: string;
}

// The speeds by how long one side's clock lasts in forty moves, as the server has them.
const speeds = [[30, "UltraBullet"], [180, "Bullet"], [480, "Blitz"], [1500, "Rapid"], [Infinity, "Classical"]] as const;

export function speedOf(minutes: number, seconds: number): string {
  const lasts = minutes * 60 + seconds * 40;
  return (speeds.find(([less]) => lasts < less) ?? speeds[speeds.length - 1])?.[1] ?? "";
}

const usual = [[1, 0], [2, 1], [3, 0], [3, 2], [5, 0], [5, 3], [10, 0], [10, 5], [15, 10], [30, 0], [30, 20], [60, 30]] as const;

export const quickClocks: readonly QuickClock[] = usual.map(([minutes, seconds]) => (
  { minutes, seconds, text: `${minutes}+${seconds}`, speed: speedOf(minutes, seconds) }
));
