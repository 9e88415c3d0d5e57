/**
 * What is wrong with a node and its machine: checks over what the node is set up to be and what the machine says, each
 * a pure function. What to look at comes from {@code control.node} or a file, the machine is looked at by {@code node}.
 */
@NullMarked
package org.railyard.doctor;

import org.jspecify.annotations.NullMarked;
