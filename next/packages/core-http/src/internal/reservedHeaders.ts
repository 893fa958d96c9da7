/** Headers that only the client and the protocol set. */

const reserved = /^(accept|connection|content-.*|expect|host|transfer-encoding|te|trailer|upgrade|user-agent)$/i

export const isReserved = (name: string): boolean => reserved.test(name)
