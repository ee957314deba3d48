// The tests of the built program stand here.
