// A provider in a process of its own whose clock is wrong by the milliseconds it is given; prints where it is.

const shiftMs = Number(process.argv[2]);
const realNow = Date.now;
Date.now = () => realNow() + shiftMs;

const { startOpenidProvider } = await import("@turnpike/testing");
const { issuer, clientSecret, clientId, people } = await startOpenidProvider();
const email = "clock@example.com";
people.set("clock", { sub: "clock", email, email_verified: true });
console.log(JSON.stringify({ issuer, clientId, clientSecret }));

export {};
