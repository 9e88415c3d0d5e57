/**
 * Verbs over UDP (RoCEv2, spec 23 §5): devices on addresses of this machine, reliable connections, the connection
 * manager. One thread for each provider does everything.
 */
@NullMarked
package org.railyard.roce;

import org.jspecify.annotations.NullMarked;
