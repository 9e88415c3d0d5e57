/**
 * Calls between nodes over LNet: request, bulk data, reply (spec 03 §1). Knows {@code wire}, and nothing of sessions
 * and tests.
 */
@NullMarked
package org.railyard.selftest.rpc;

import org.jspecify.annotations.NullMarked;
