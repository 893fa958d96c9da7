/** The priority that a service computes for an event: type first, then status, then level (document, "Priority ordering rules"). */

const types = ["ServiceIssue", "PlannedMaintenance", "HealthAdvisory"]
const statuses = ["Active", "Resolved"]
const levels = ["Critical", "Error", "Warning", "Informational"]

/** From 0, the highest, to 23; nothing for a type without a rank. */
export const priority = (type: string, status: string, level: string): { readonly priority?: number } => {
  const rank = types.indexOf(type)
  return rank === -1 ? {} : { priority: rank * 8 + statuses.indexOf(status) * 4 + levels.indexOf(level) }
}
