import ProcessHarness

StandardDescriptors.holdClosed()
// The whole program is in `Demo`; top-level code would run on the main actor.
Demo.main()
