/**
 * A node under test (spec 03 §3 and §4): the services that others call, the session it is in, and its part in tests.
 * Uses {@code rpc}; the console is somebody else.
 */
@NullMarked
package org.railyard.selftest.node;

import org.jspecify.annotations.NullMarked;
