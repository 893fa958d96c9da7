/** What can be impacted: services, with their permanent identifiers and resource types, and regions. */

/** A service of the imagined vendor. */
export interface Service {
  readonly name: string
  readonly guid: string
  /** The resource type under `providers/`, the vendor left out. */
  readonly type: string
  /** What its customers see when it fails. */
  readonly symptom: string
}

/** The services. */
export const services: readonly [Service, ...ReadonlyArray<Service>] = [
  {
    name: "Virtual Machines",
    guid: "5e8b1f0a-6f0c-4d6e-9a10-0c9b6c1d2e01",
    type: "Compute/virtualMachines",
    symptom: "restarts and failed connections",
  },
  {
    name: "SQL Database",
    guid: "5e8b1f0a-6f0c-4d6e-9a10-0c9b6c1d2e02",
    type: "Sql/servers",
    symptom: "login failures and time-outs",
  },
  {
    name: "Blob Storage",
    guid: "5e8b1f0a-6f0c-4d6e-9a10-0c9b6c1d2e03",
    type: "Storage/storageAccounts",
    symptom: "increased latency and 503 answers",
  },
  {
    name: "Kubernetes Service",
    guid: "5e8b1f0a-6f0c-4d6e-9a10-0c9b6c1d2e04",
    type: "ContainerService/managedClusters",
    symptom: "failed cluster operations",
  },
  {
    name: "Key Vault",
    guid: "5e8b1f0a-6f0c-4d6e-9a10-0c9b6c1d2e05",
    type: "KeyVault/vaults",
    symptom: "intermittent 500 answers on secret reads",
  },
  {
    name: "Load Balancer",
    guid: "5e8b1f0a-6f0c-4d6e-9a10-0c9b6c1d2e06",
    type: "Network/loadBalancers",
    symptom: "packet loss on new connections",
  },
  {
    name: "Message Queue",
    guid: "5e8b1f0a-6f0c-4d6e-9a10-0c9b6c1d2e07",
    type: "Messaging/namespaces",
    symptom: "delayed message delivery",
  },
  {
    name: "Functions",
    guid: "5e8b1f0a-6f0c-4d6e-9a10-0c9b6c1d2e08",
    type: "Web/sites",
    symptom: "slow cold starts and failed executions",
  },
  {
    name: "Container Registry",
    guid: "5e8b1f0a-6f0c-4d6e-9a10-0c9b6c1d2e09",
    type: "ContainerRegistry/registries",
    symptom: "failed image pulls",
  },
  {
    name: "DNS",
    guid: "5e8b1f0a-6f0c-4d6e-9a10-0c9b6c1d2e10",
    type: "Network/dnsZones",
    symptom: "names that fail to resolve",
  },
]

/** The regions. */
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
