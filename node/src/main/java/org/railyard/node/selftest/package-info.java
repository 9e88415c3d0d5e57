/**
 * Selftest in the daemon: it lives as long as LNet runs, and its console is used over the control socket. The protocol
 * itself is another module.
 */
@NullMarked
package org.railyard.node.selftest;

import org.jspecify.annotations.NullMarked;
