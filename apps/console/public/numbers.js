// The first number that is formatted makes the browser load its locale data, which blocks a phone for up to 100 ms: done
// here, while styles and the console's scripts are still on their way.
new Intl.NumberFormat();
