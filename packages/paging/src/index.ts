/** Streams of pages, for any kind of cursor. */
export * as Checkpoint from "./Checkpoint.js"
export * as Paging from "./Paging.js"
export * as PagingError from "./PagingError.js"
