/** UDP sockets, interfaces and neighbours of this machine, behind an interface that tests replace. */
@NullMarked
package org.railyard.roce.net;

import org.jspecify.annotations.NullMarked;
