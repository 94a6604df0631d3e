/** A moment and the place where it was said. */
export interface TimeReference {
  readonly instant: string;
  readonly offsetMinutes: number;
  readonly timeZone?: string;
}

export type Granularity = "time" | "day" | "week" | "weekend" | "month" | "season" | "year";

export interface TimeMention {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly from: string;
  readonly to: string | null;
  readonly granularity: Granularity;
  readonly relative: boolean;
  readonly kind: "date" | "duration" | "recurrence";
  readonly written: string;
}

export function findTimes(_text: string, _reference: TimeReference): TimeMention[] {
  return [];
}

export function resolveTimes(text: string, reference: TimeReference): { text: string; mentions: TimeMention[] } {
  return { text, mentions: findTimes(text, reference) };
}

export function hasRelativeTime(_text: string): boolean {
  return false;
}
