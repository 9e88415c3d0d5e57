/** One TCP connection whose handshake is done: frames in, frames out (spec 02 §6). */
@NullMarked
package org.railyard.socklnd.connection;

import org.jspecify.annotations.NullMarked;
