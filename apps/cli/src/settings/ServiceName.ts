/** The two services, and what each is called where. */
import * as Flag from "../Flag.js"
import type * as ConfigFile from "./ConfigFile.js"

/** The names by which a flag means them. */
export const all = ["health", "apps"] as const

/** One of them. */
export type ServiceName = (typeof all)[number]

/** What is known of a service. */
export interface Facts {
  /** For a sentence. */
  readonly title: string
  /** The setting that is its base address. */
  readonly address: ConfigFile.Key
  /** The variable of its token. */
  readonly token: string
  /** The command that keeps its token. */
  readonly login: string
}

/** What is known of each. */
export const facts: { readonly [Name in ServiceName]: Facts } = {
  health: {
    title: "the health events service",
    address: "healthBaseUrl",
    token: "HEALTH_ACCESS_TOKEN",
    login: "vigil auth login",
  },
  apps: {
    title: "the app management service",
    address: "appmgmtBaseUrl",
    token: "APPMGMT_API_TOKEN",
    login: "vigil auth login --service apps --token-stdin",
  },
}

/** One of them as the value of `--service`. */
export const value = Flag.oneOf(all)
