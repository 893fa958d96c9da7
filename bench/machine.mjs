/** What the figures were measured on. */
import { cpus, totalmem } from "node:os"

export const machine = () => {
  const all = cpus()
  return `${all.length} cores (${all[0].model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}`
}
