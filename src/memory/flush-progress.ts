import type { FlushProgress } from "../records/index.js";

const NO_PROGRESS: FlushProgress = { windows: 0, extracted: 0, stored: 0, failed: 0 };

/** What counts further with an event of the write graph of this type. */
const COUNTED: Readonly<Record<string, Exclude<keyof FlushProgress, "windows">>> = {
  window_extracted: "extracted",
  window_stored: "stored",
  window_failed: "failed",
};

/** Where a run stands after one more event of its graph; the same when the event says nothing of it. */
function furtherOn(progress: FlushProgress, event: unknown): FlushProgress {
  if (typeof event !== "object" || event === null || !("type" in event)) return progress;
  if (event.type === "windows_claimed" && "windows" in event) {
    return { ...progress, windows: progress.windows + Number(event.windows) };
  }
  const counted = COUNTED[String(event.type)];
  return counted === undefined ? progress : { ...progress, [counted]: progress[counted] + 1 };
}

/** Makes of the events of one run what its listener is told. */
export function progressTeller(tell: (progress: FlushProgress) => void): (event: unknown) => void {
  let progress = NO_PROGRESS;
  return (event) => {
    const further = furtherOn(progress, event);
    if (further === progress) return;
    progress = further;
    tell(progress);
  };
}
