/** The services and regions that events impact, and the parts of resources. */
import type { Resource } from "./models.js"

export interface Service {
  readonly name: string
  readonly guid: string
  readonly type: string
  readonly symptom: string
  /** The type of the child resources, if there are any. */
  readonly child: string | undefined
}

const service = (id: string, name: string, type: string, symptom: string, child?: string): Service => ({
  name,
  guid: `5e8b1f0a-6f0c-4d6e-9a10-0c9b6c1d2e${id}`,
  type,
  symptom,
  child,
})

export const services: readonly [Service, ...ReadonlyArray<Service>] = [
  service("01", "Virtual Machines", "Compute/virtualMachines", "restarts and failed connections"),
  service("02", "SQL Database", "Sql/servers", "login failures and time-outs", "databases"),
  service("03", "Blob Storage", "Storage/storageAccounts", "increased latency and 503 responses"),
  service("04", "Kubernetes Service", "ContainerService/managedClusters", "failed cluster operations", "agentPools"),
  service("05", "Key Vault", "KeyVault/vaults", "intermittent 500 responses on secret reads"),
  service("06", "Load Balancer", "Network/loadBalancers", "packet loss on new connections"),
  service("07", "Message Queue", "Messaging/namespaces", "delayed message delivery"),
  service("08", "Functions", "Web/sites", "slow cold starts and failed executions", "slots"),
  service("09", "Container Registry", "ContainerRegistry/registries", "failed image pulls"),
  service("10", "DNS", "Network/dnsZones", "names that fail to resolve"),
]

export const regions: readonly [string, ...ReadonlyArray<string>] = [
  "West Europe",
  "North Europe",
  "East US",
  "West US 2",
  "UK South",
  "Southeast Asia",
  "Japan East",
  "Brazil South",
]

/** The child resources of a resource. */
export const childrenOf = ({ service, uri, ...resource }: Resource): ReadonlyArray<Resource> => {
  const child = resource.parent === undefined ? services.find(({ name }) => name === service)?.child : undefined
  return child === undefined
    ? []
    : ["main", "spare"].map((name) => ({ ...resource, uri: `${uri}/${child}/${name}`, parent: uri, service }))
}
