import type { Logger } from "../records/index.js";
import type { ServerEvent } from "./endpoint.js";
import { refusalOf } from "./failures.js";

/**
 * A stream that asks for the next piece when the client has taken the one before: a slow client holds up its own request,
 * and nothing piles up. A client that goes away ends the pieces.
 */
export function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

/** JSON holds no line break, so that one line is the whole of the data. */
function frame({ event, data }: ServerEvent): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The events in the form of the standard; a failure is the last of them, since the status has long been sent. */
export async function* eventFrames(events: AsyncGenerator<ServerEvent>, logger: Logger): AsyncGenerator<string> {
  try {
    for await (const event of events) yield frame(event);
  } catch (error) {
    const { status, name, message } = refusalOf(error);
    if (status >= 500) logger.error("a stream failed", { error: String(error) });
    yield frame({ event: "error", data: { name, message } });
  }
}
