/**
 * The node that runs on this machine, as commands reach it: where its control socket is, and what to say when nobody
 * answers.
 */
@NullMarked
package org.railyard.cli.service;

import org.jspecify.annotations.NullMarked;
