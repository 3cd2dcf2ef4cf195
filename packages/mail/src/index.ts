// The front door.
export {};
