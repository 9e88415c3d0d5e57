/** The node that runs on this machine, as commands reach it: where its control socket is, and what to say when nobody answers. Next room: {@code org.railyard.node.control}. */
@NullMarked
package org.railyard.cli.service;

import org.jspecify.annotations.NullMarked;
