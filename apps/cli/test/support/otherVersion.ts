/** State files of other versions of the API. */
import { readFileSync, writeFileSync } from "node:fs"

/** Changes the state file of a watch to that of a release with another default version. */
export const ofOtherVersion = (file: string): void => {
  const { list, ...state } = JSON.parse(readFileSync(file, "utf8"))
  writeFileSync(file, JSON.stringify({ ...state, list: { ...list, apiVersion: "9999-01-01" } }))
}
