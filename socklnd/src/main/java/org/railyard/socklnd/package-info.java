/** LNet over TCP: the transport as LNet sees it, and its threads. Sockets live here and nowhere else (spec 02). */
@NullMarked
package org.railyard.socklnd;

import org.jspecify.annotations.NullMarked;
