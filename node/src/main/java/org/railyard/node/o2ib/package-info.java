/**
 * The InfiniBand transport in a node as a service: which cards it uses, the target file, and what channel bonding has
 * to say to those who administer it.
 */
@NullMarked
package org.railyard.node.o2ib;

import org.jspecify.annotations.NullMarked;
