// Written by Proliferate when the sandbox starts; whatever is changed here is lost.
//
// The place for hooks into the agent. There are none: the gateway reads the agent's event stream itself, so
// nothing needs to be pushed from here.
export const ProliferatePlugin = async () => ({})
