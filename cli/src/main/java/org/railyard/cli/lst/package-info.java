/**
 * {@code railyard lst}: the commands of Lustre's tool for selftest, on the console of the daemon. The protocol is in
 * {@code org.railyard.selftest}.
 */
@NullMarked
package org.railyard.cli.lst;

import org.jspecify.annotations.NullMarked;
