/** LNet as contender: two nodes of this process over socklnd on loopback. Next room: {@code org.railyard.bench.compare}. */
@NullMarked
package org.railyard.bench.lnet;

import org.jspecify.annotations.NullMarked;
