/** LNet over TCP: acceptor, handshake, connections, framing. Sockets live here and nowhere else. Next room: {@code org.railyard.socklnd.wire}, its bytes. */
@NullMarked
package org.railyard.socklnd;

import org.jspecify.annotations.NullMarked;
