/**
 * What can be learned of the machine by looking at it: devices, settings of the kernel, ways of packets, ports. Changes
 * nothing.
 */
@NullMarked
package org.railyard.node.facts;

import org.jspecify.annotations.NullMarked;
