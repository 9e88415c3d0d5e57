/** The node as an application sees it: {@code LNet}, memory descriptors, events, errors. Next room: {@code org.railyard.lnet.lnd}. */
@NullMarked
package org.railyard.lnet;

import org.jspecify.annotations.NullMarked;
