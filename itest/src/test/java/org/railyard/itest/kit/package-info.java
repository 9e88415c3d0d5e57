/** What all integration tests share: nodes on loopback, free ports, waiting with a deadline. Next rooms: the tests in the packages beside. */
@NullMarked
package org.railyard.itest.kit;

import org.jspecify.annotations.NullMarked;
