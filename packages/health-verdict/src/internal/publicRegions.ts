/** The regions of the public service: names that surely mean one region, without metadata. */
import * as Region from "@vigil/health-schema/Region"

const all = `
East US, East US 2, Central US, North Central US, South Central US, West Central US, West US, West US 2, West US 3, Southeast US, US Gov Virginia,
US Gov Arizona, US Gov Texas, US Gov Iowa, US DoD Central, US DoD East, Canada Central, Canada East, Mexico Central, Brazil South, Brazil Southeast,
Chile Central, North Europe, West Europe, UK South, UK West, France Central, France South, Germany West Central, Germany North, Germany Central,
Germany Northeast, Switzerland North, Switzerland West, Norway East, Norway West, Sweden Central, Sweden South, Denmark East, Finland Central,
Poland Central, Austria East, Belgium Central, Belgium South, Italy North, Spain Central, Greece Central, Israel Central, Israel Northwest, Qatar Central,
UAE North, UAE Central, Saudi Arabia East, South Africa North, South Africa West, East Asia, Southeast Asia, Central India, South India, West India,
Jio India West, Jio India Central, India South Central, Japan East, Japan West, Korea Central, Korea South, Taiwan North, Taiwan Northwest,
Malaysia West, Malaysia South, Indonesia Central, Australia East, Australia Southeast, Australia Central, Australia Central 2, New Zealand North,
China East, China East 2, China East 3, China North, China North 2, China North 3`

export const names: ReadonlySet<string> = new Set(all.split(",").map(Region.normalize))
