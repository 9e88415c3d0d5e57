/** What all integration tests share: nodes on loopback, free ports, waiting with a deadline. */
@NullMarked
package org.railyard.itest.kit;

import org.jspecify.annotations.NullMarked;
