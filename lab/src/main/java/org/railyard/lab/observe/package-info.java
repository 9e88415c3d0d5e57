/**
 * What can be seen of a run without being part of it: lives of nodes, calls of applications, messages between stacks
 * and LNDs, and the journal of it all.
 */
@NullMarked
package org.railyard.lab.observe;

import org.jspecify.annotations.NullMarked;
