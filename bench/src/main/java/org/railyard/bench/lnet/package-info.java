/** LNet as contender: two nodes of this process over socklnd on loopback. */
@NullMarked
package org.railyard.bench.lnet;

import org.jspecify.annotations.NullMarked;
