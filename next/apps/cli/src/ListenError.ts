/** Why a server can't listen on a port. */
import { codeOf } from "./ErrorCode.js"
import { UsageError } from "./Failure.js"

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "is in use. Pass another --port.",
  EACCES: "requires more rights. Pass a --port above 1023.",
}

/** `describeOther`: the sentence for any other error code. */
export const from = (
  error: unknown,
  port: number,
  describeOther = (code: string) => `Port ${port} can't be used (${code}). Pass another --port.`,
): UsageError => {
  const code = codeOf(error) ?? "unknown reason"
  const reason = reasons[code]
  return new UsageError(reason === undefined ? describeOther(code) : `Port ${port} ${reason}`)
}
