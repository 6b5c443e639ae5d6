// The geometry of a chart of ratings by day.
import type { Schemas } from "../../api/client";

export interface Point {
  readonly time: number;
  readonly rating: number;
}

export interface Chart {
  readonly path: string;
  readonly points: readonly (Point & { readonly x: number; readonly y: number })[];
  /** Ratings worth a line across, with their heights. */
  readonly lines: readonly { readonly rating: number; readonly y: number }[];
}

/** The days of a history as times. The API counts months from 0. */
export function points(history: Schemas["RatingHistory"]): Point[] {
  return history.points.map(([year = 1970, month = 0, day = 1, rating = 0]) => ({ time: Date.UTC(year, month, day), rating }));
}

/** Places the days in a box. A rating holds until the next one, so the line goes in steps. */
export function chart(days: readonly Point[], width: number, height: number): Chart {
  const times = days.map(({ time }) => time);
  const ratings = days.map(({ rating }) => rating);
  const step = 100;
  const low = Math.floor((Math.min(...ratings) - 20) / step) * step;
  const high = Math.ceil((Math.max(...ratings) + 20) / step) * step;
  const first = Math.min(...times);
  const span = Math.max(...times) - first;
  const y = (rating: number): number => height - ((rating - low) / (high - low)) * height;
  const placed = days.map((day) => ({ ...day, x: span === 0 ? width / 2 : ((day.time - first) / span) * width, y: y(day.rating) }));
  const path = placed.map(({ x, y: at }, i) => (i === 0 ? `M${x} ${at}` : `H${x}V${at}`)).join("");
  const every = step * Math.max(1, Math.ceil((high - low) / step / 5));
  const lines = [];
  for (let rating = low; rating <= high; rating += every) lines.push({ rating, y: y(rating) });
  return { path, points: placed, lines };
}
