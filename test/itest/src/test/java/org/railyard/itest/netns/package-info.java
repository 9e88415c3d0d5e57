/**
 * Nodes in network namespaces of their own, joined by virtual cables: real addresses, port 988, low source ports, links
 * that go down. Needs root.
 */
@NullMarked
package org.railyard.itest.netns;

import org.jspecify.annotations.NullMarked;
