/** The node as an application sees it: {@code LNet}, memory descriptors, events, errors. */
@NullMarked
package org.railyard.lnet;

import org.jspecify.annotations.NullMarked;
