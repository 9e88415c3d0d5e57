/** LNet over TCP: acceptor, handshake, connections, framing. Sockets live here and nowhere else. */
@NullMarked
package org.railyard.socklnd;

import org.jspecify.annotations.NullMarked;
