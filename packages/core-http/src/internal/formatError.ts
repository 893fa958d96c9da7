/** Formats the code and message of a service, to follow a status or a noun. */
export const formatError = (code: string | undefined, detail: string | undefined): string =>
  (code === undefined ? "" : ` ${code}`) + (detail === undefined ? "" : `: ${detail.replace(/(?<![.\s])[.\s]+$/, "")}`)
