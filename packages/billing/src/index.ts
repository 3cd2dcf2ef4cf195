// The front door of money in: top-ups by card, and what happens to them afterwards.
export {};
