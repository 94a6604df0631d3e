import type { ExtractedItem, Rejection } from "../records/index.js";
import type { Extractor } from "../stages/extract/index.js";

type Redact = (text: string) => string;

function redactedItem(item: ExtractedItem, redact: Redact): ExtractedItem {
  const each = (texts: readonly string[]): string[] => texts.map(redact);
  return {
    ...item,
    losslessRestatement: redact(item.losslessRestatement),
    keywords: each(item.keywords),
    persons: each(item.persons),
    entities: each(item.entities),
    topic: item.topic === null ? null : redact(item.topic),
    location: item.location === null ? null : redact(item.location),
    attributes: Object.fromEntries(Object.entries(item.attributes).map(([name, value]) => [name, redact(value)])),
  };
}

function redactedRejection(rejection: Rejection, redact: Redact): Rejection {
  return rejection.text === undefined ? rejection : { ...rejection, text: redact(rejection.text) };
}

/** An extractor whose replies are redacted too: a model may put together again what was cut out of the turns. */
export function redacting(extractor: Extractor, redact: Redact): Extractor {
  return {
    ...(extractor.by === undefined ? {} : { by: extractor.by }),
    readsKnownFacts: extractor.readsKnownFacts ?? true,
    async extract(input, run) {
      const output = await extractor.extract(input, run);
      return {
        ...output,
        items: output.items.map((item) => redactedItem(item, redact)),
        rejections: output.rejections.map((one) => redactedRejection(one, redact)),
        openQuestions: output.openQuestions.map(redact),
      };
    },
  };
}
