/**
 * Base of every error this library throws on purpose. The message begins with the library's name, says which value
 * was wrong, and what to do about it.
 */
export class SimpleMemError extends Error {
  /** The name of the class. It holds across copies of the package, where `instanceof` does not. */
  override readonly name: string = "SimpleMemError";

  constructor(message: string, options?: ErrorOptions) {
    super(`simplemem-langchain: ${message}`, options);
  }
}

/** A scope without a usable `userId`, or with a part that is not a non-blank string. Nothing was read or written. */
export class ScopeError extends SimpleMemError {
  override readonly name = "ScopeError";
}

/** An argument or option that does not fit its schema. Nothing was read or written. */
export class InvalidInputError extends SimpleMemError {
  override readonly name = "InvalidInputError";
}

/** A vector whose length is not the store's, or an embedder other than the one the store was made with. */
export class DimensionMismatchError extends SimpleMemError {
  override readonly name = "DimensionMismatchError";

  constructor(
    message: string,
    /** Numbers in a vector of the store. */
    readonly expected: number,
    /** Numbers in the vector that was given. */
    readonly actual: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A vector that cannot be stored or searched: empty, zero, or with a value that is not a finite number. */
export class InvalidVectorError extends SimpleMemError {
  override readonly name = "InvalidVectorError";
}

/** The folder holds a newer schema version, a foreign table, or a store that is damaged. It was left unchanged. */
export class StoreVersionError extends SimpleMemError {
  override readonly name = "StoreVersionError";
}

/** The store cannot be opened: an unwritable path, a missing native binary, an unknown address. */
export class StoreOpenError extends SimpleMemError {
  override readonly name = "StoreOpenError";
}

/** A write on a store that was opened read-only, whose folder is not writable, or whose disk is full. */
export class NotWritableError extends SimpleMemError {
  override readonly name = "NotWritableError";
  /** Whether there is no room: the same call succeeds when there is. */
  readonly isFull: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isFull?: boolean } = {}) {
    super(message, options);
    this.isFull = options.isFull ?? false;
  }
}

/** A commit that kept conflicting with other writers until the retries were used up. Nothing was half written. */
export class StoreConflictError extends SimpleMemError {
  override readonly name = "StoreConflictError";
}

/** The reply of a model could not be used: no JSON, cut off, empty, or of the wrong shape. The input stays pending. */
export class ModelOutputError extends SimpleMemError {
  override readonly name: string = "ModelOutputError";
}

/** The model failed so often that it is left alone for now. No try was counted; the input stays pending. */
export class ModelUnavailableError extends SimpleMemError {
  override readonly name = "ModelUnavailableError";
}

/** A run has made as many model calls as it may. No try was counted; the input stays pending. */
export class CallBudgetError extends SimpleMemError {
  override readonly name = "CallBudgetError";
}

/** A call on an engine or handle after `close()`. */
export class ClosedError extends SimpleMemError {
  override readonly name = "ClosedError";
}

/** A turn id that is already taken by other content within the same scope and session. The stored turn is unchanged. */
export class DuplicateTurnError extends SimpleMemError {
  override readonly name = "DuplicateTurnError";
}

/** No entry of this id that the scope may change. Nothing was changed. */
export class EntryNotFoundError extends SimpleMemError {
  override readonly name = "EntryNotFoundError";
}

/**
 * A correction that contradicts another entry, or is meant for a version that is no longer the current one. Nothing was
 * changed.
 */
export class EntryConflictError extends SimpleMemError {
  override readonly name = "EntryConflictError";

  constructor(
    message: string,
    /** Ids of the entries in the way. */
    readonly entryIds: readonly string[],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
