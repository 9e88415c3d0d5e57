/** How TCP connections come about: listeners, calls, connection request and hello (spec 02 §2, §3). */
@NullMarked
package org.railyard.socklnd.handshake;

import org.jspecify.annotations.NullMarked;
