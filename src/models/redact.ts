const MARK = "[redacted]";

/** Keys whose shape tells what they are. */
const KEY_SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}/g,
  /\bgh[opsu]_[A-Za-z0-9]{20,}\b/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bxox[abpr]-[A-Za-z0-9-]{10,}/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}/g,
];
const BEARER = /\b(bearer\s+)[A-Za-z0-9._~+/-]{12,}=*/gi;
const NAMED =
  /\b((?:password|passwd|passphrase|api[ _-]?key|secret[ _-]?key|access[ _-]?token|auth[ _-]?token)\s*(?:is|was|are|=|:)\s*["'“]?)([^\s"'”,;]+)/gi;
/** Without a verb, only what looks like no word: "the password tr0ub-heron-77 of the database". */
const NAMED_BARE = /\b((?:password|passwd|passphrase|passcode)\s+["'“]?)(?=[^\s"'”,;]*\d)([^\s"'”,;]{6,})/gi;
const NAMED_CHINESE = /((?:密码|口令|密钥)\s*(?:是|为|：|:)\s*)([^\s，。；,;]+)/g;

/**
 * Makes a function that cuts keys, tokens and passwords out of a text; `extra` patterns are cut out as well.
 * @example createRedactor()("password is tr0ub-heron-77") // "password is [redacted]"
 */
export function createRedactor(extra: readonly RegExp[] = []): (text: string) => string {
  return (text) => {
    let result = text;
    for (const shape of [...KEY_SHAPES, ...extra]) result = result.replace(shape, MARK);
    return [BEARER, NAMED, NAMED_BARE, NAMED_CHINESE].reduce((cut, named) => cut.replace(named, `$1${MARK}`), result);
  };
}
