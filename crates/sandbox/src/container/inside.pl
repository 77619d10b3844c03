# Acts inside a container, as its user: programs, their logs, files. Given to perl with each call, so that an
# image need not have it. What it is told comes in its arguments (names) and on standard input (variables,
# content), so that the engine keeps none of it. Its first line says how it went; what was asked for follows.
use strict;
use warnings;
use Fcntl qw(:DEFAULT :mode);
use Errno qw(ENOENT ELOOP EISDIR ENXIO EEXIST ENOTEMPTY ENOTDIR);
use POSIX ();
use Socket qw(:DEFAULT inet_pton pack_sockaddr_in pack_sockaddr_in6 INADDR_LOOPBACK);

my ($home, $state) = ('/home/user', '/dev/shm/proliferate');
my $log_bytes = 4 * 1024 * 1024;
my ($command, $env_bytes, $body_bytes, @args) = @ARGV;
binmode STDIN;
binmode STDOUT;
$| = 1;

sub fail { print "@_\n"; exit 0 }

sub take {
    my ($left, $got) = (shift, '');
    while ($left > 0) {
        my $read = sysread STDIN, $got, ($left > 65536 ? 65536 : $left), length $got;
        fail('failed', 'the request was cut off') unless $read;
        $left -= $read;
    }
    return $got;
}

# Into a directory that is none by a link: what was looked at is what was entered.
sub enter {
    my $name = shift;
    my @seen = lstat $name or return $!;
    return ELOOP if S_ISLNK($seen[2]);
    return ENOTDIR unless S_ISDIR($seen[2]);
    chdir $name or return $!;
    my @here = stat '.' or return $!;
    return ELOOP if $here[0] != $seen[0] || $here[1] != $seen[1];
    return 0;
}

sub explain {
    my ($error, $path) = @_;
    fail('missing') if $error == ENOENT;
    fail('invalid', 'there is a link in the path') if $error == ELOOP;
    fail('invalid', 'not a directory, or in none') if $error == ENOTDIR;
    fail('invalid', 'not a plain file') if $error == ENXIO;
    $! = $error;
    fail('failed', "$!");
}

# Into the directory of a path below the home; its last name is left.
sub walk {
    my ($path, $make, $whole) = @_;
    my @parts = grep { length } split m{/}, $path;
    fail('invalid', 'a path must not have `..`') if grep { $_ eq '.' || $_ eq '..' } @parts;
    my $last = $whole ? undef : pop @parts;
    chdir $home or fail('failed', "the home directory: $!");
    for my $part (@parts) {
        my $error = enter($part);
        if ($error == ENOENT && $make) {
            mkdir $part, 0755 or $! == EEXIST or explain($! + 0);
            $error = enter($part);
        }
        return (undef, $error) if $error;
    }
    return ($last, 0);
}

sub names {
    my $max = shift;
    opendir my $dir, '.' or fail('failed', "$!");
    my @names;
    while (defined(my $name = readdir $dir)) {
        next if $name eq '.' || $name eq '..';
        push @names, $name;
        last if @names == $max;
    }
    return @names;
}

sub remove_tree {
    my ($name, $depth) = @_;
    my @seen = lstat $name;
    return if !@seen;
    if (!S_ISDIR($seen[2])) { unlink $name or $! == ENOENT or fail('failed', "$!"); return }
    fail('failed', 'too deep') if $depth > 512;
    my @above = stat '.';
    my $error = enter($name);
    explain($error) if $error;
    remove_tree($_, $depth + 1) for names(1 << 30);
    chdir '..' or fail('failed', "$!");
    my @back = stat '.';
    fail('invalid', 'a directory was moved') if $back[0] != $above[0] || $back[1] != $above[1];
    rmdir $name or $! == ENOENT or fail('failed', "$!");
}

sub slurp {
    my $path = shift;
    sysopen my $file, $path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW or return undef;
    return undef unless -f $file;
    local $/;
    my $text = <$file>;
    return $text // '';
}

sub spit {
    my ($path, $text) = @_;
    open my $file, '>', "$path.new" or fail('failed', "$!");
    print $file $text;
    close $file or fail('failed', "$!");
    rename "$path.new", $path or fail('failed', "$!");
}

# Parent, start and whether it still does anything.
sub process_stat {
    my $text = slurp("/proc/$_[0]/stat") // return;
    $text =~ s/^.*\)\s//s;
    my @fields = split ' ', $text;
    return ($fields[1], $fields[19], $fields[0] ne 'Z' && $fields[0] ne 'X');
}

# Ends a process that began then, what it started, and all that have the mark in their environment.
sub end_all {
    my ($pid, $began, $mark) = @_;
    for (1 .. 500) {
        my (%parent, %doomed);
        opendir my $dir, '/proc' or fail('failed', "$!");
        for my $one (grep { /^\d+$/ } readdir $dir) {
            next if $one == $$;
            my ($parent, $start, $lives) = process_stat($one);
            next unless $lives;
            $parent{$one} = $parent;
            my $environ = slurp("/proc/$one/environ") // '';
            $doomed{$one} = 1 if $one == $pid && $start == $began || index("\0$environ", "\0$mark\0") >= 0;
        }
        my $more = 1;
        while ($more) {
            $more = 0;
            for my $one (keys %parent) {
                next if $doomed{$one} || !$doomed{$parent{$one}};
                $doomed{$one} = $more = 1;
            }
        }
        return unless %doomed;
        kill 'KILL', keys %doomed;
        select undef, undef, undef, 0.01;
    }
    fail('failed', 'it does not end');
}

sub set_env {
    %ENV = (
        HOME => $home, USER => 'user', LOGNAME => 'user', SHELL => '/bin/bash', LANG => 'C.UTF-8',
        TERM => 'xterm-256color', TMPDIR => '/tmp',
        PATH => "$home/.local/bin:/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin",
    );
    for my $pair (split /\0/, (slurp("$state/env") // '') . $_[0]) {
        my ($name, $value) = split /=/, $pair, 2;
        $ENV{$name} = $value;
    }
}

sub into_cwd {
    my ($last, $error) = walk($_[0], 0, 1);
    explain($error) if $error;
    # Where shells would otherwise say another name.
    $ENV{PWD} = $_[0] eq '' ? $home : "$home/$_[0]";
}

sub copy {
    my ($from, $to) = @_;
    while (1) {
        my $got = sysread $from, my $piece, 65536;
        next if !defined $got && $!{EINTR};
        return unless $got;
        while (length $piece) {
            my $put = syswrite $to, $piece;
            next if !defined $put && $!{EINTR};
            return unless $put;
            substr $piece, 0, $put, '';
        }
    }
}

sub become {
    no warnings;
    exec { $_[0] } @_;
    print STDERR "$_[0]: $!\n";
    POSIX::_exit($! == ENOENT ? 127 : 126);
}

# The last of a program's output, in files named by the place of their first byte.
sub keep_log {
    my ($from, $log) = @_;
    my ($at, $size, $before, $file) = (0, 0);
    sysopen $file, "$log.0", O_WRONLY | O_CREAT | O_EXCL, 0600 or POSIX::_exit(1);
    while (sysread $from, my $piece, 65536) {
        if ($size >= $log_bytes) {
            unlink "$log.$before" if defined $before;
            ($before, $at, $size) = ($at, $at + $size, 0);
            sysopen $file, "$log.$at", O_WRONLY | O_CREAT | O_EXCL, 0600 or POSIX::_exit(1);
        }
        # A full disk loses output, and does not stop the program.
        $size += syswrite($file, $piece) // 0;
    }
    POSIX::_exit(0);
}

my %do = (
    init => sub {
        my ($env, $doors) = @_;
        # In memory, where both engines allow every user to write.
        mkdir $state, 0700 or fail('failed', "a place for its state: $!");
        mkdir "$state/log", 0700 or fail('failed', "a place for logs: $!");
        spit("$state/env", $env);
        chdir $home or fail('failed', "the home directory: $!");
        mkdir 'workspace', 0755;
        # Until every destination of this sandbox can be resolved.
        for (1 .. 1000) {
            my $listening = () = (slurp('/proc/net/tcp') // '') =~ /:0050 00000000:0000 0A /g;
            fail('ok') if $listening >= $doors;
            select undef, undef, undef, 0.01;
        }
        fail('failed', 'the way out did not open');
    },
    run => sub {
        my ($env, $cwd, $mark, @argv) = @_;
        set_env($env);
        into_cwd($cwd);
        $ENV{PROLIFERATE_EXEC} = $mark;
        if ($body_bytes == 0) {
            open STDIN, '<', '/dev/null' or fail('failed', "$!");
        } else {
            pipe my $read, my $write or fail('failed', "$!");
            my $child = fork // fail('failed', "$!");
            if ($child == 0) {
                # Reparented, so that the program finds no child of the helper.
                POSIX::_exit(0) if fork;
                close $read;
                open STDOUT, '>', '/dev/null';
                open STDERR, '>', '/dev/null';
                $SIG{PIPE} = sub { POSIX::_exit(0) };
                for (my $left = $body_bytes; $left > 0;) {
                    my $got = sysread STDIN, my $piece, $left > 65536 ? 65536 : $left or last;
                    $left -= $got;
                    while (length $piece) {
                        my $put = syswrite $write, $piece or POSIX::_exit(0);
                        substr $piece, 0, $put, '';
                    }
                }
                POSIX::_exit(0);
            }
            waitpid $child, 0;
            close $write;
            open STDIN, '<&', $read or fail('failed', "$!");
        }
        my (undef, $began) = process_stat($$);
        print "ok $$ $began\n";
        become(@argv);
    },
    end => sub {
        my (undef, $pid, $began, $mark) = @_;
        end_all($pid, $began, "PROLIFERATE_EXEC=$mark");
        print "ok\n";
    },
    start => sub {
        my ($env, $cwd, $mark, $name, @argv) = @_;
        my $log = "$state/log/$name";
        if (defined(my $note = slurp("$log.pid"))) {
            my ($pid, $began) = split ' ', $note;
            my (undef, $start, $lives) = process_stat($pid);
            fail('invalid', 'a process of this name runs')
                if $lives && $start == $began && !defined slurp("$log.exit");
        }
        set_env($env);
        into_cwd($cwd);
        $ENV{PROLIFERATE_PROCESS} = $mark;
        unlink glob "$log.*";
        pipe my $ready, my $tell or fail('failed', "$!");
        my $keeper = fork // fail('failed', "$!");
        if ($keeper == 0) {
            close $ready;
            POSIX::setsid();
            open STDIN, '<', '/dev/null';
            open STDOUT, '>', '/dev/null';
            open STDERR, '>', '/dev/null';
            pipe my $read, my $write or POSIX::_exit(1);
            my $logger = fork // POSIX::_exit(1);
            if ($logger == 0) { close $write; close $tell; keep_log($read, $log) }
            close $read;
            my $program = fork // POSIX::_exit(1);
            if ($program == 0) {
                close $tell;
                POSIX::setsid();
                open STDOUT, '>&', $write;
                open STDERR, '>&', $write;
                close $write;
                become(@argv);
            }
            close $write;
            my (undef, $began) = process_stat($$);
            spit("$log.pid", "$$ $began $mark");
            syswrite $tell, 'ok';
            close $tell;
            waitpid $program, 0;
            spit("$log.exit", $? & 127 ? 128 + ($? & 127) : $? >> 8);
            waitpid $logger, 0;
            POSIX::_exit(0);
        }
        close $tell;
        sysread $ready, my $answer, 2 or fail('failed', 'it did not start');
        print "ok\n";
    },
    process => sub {
        my (undef, $name) = @_;
        my $note = slurp("$state/log/$name.pid") // fail('missing');
        my ($pid, $began) = split ' ', $note;
        my (undef, $start, $lives) = process_stat($pid);
        my $runs = $lives && $start == $began;
        # After the look at the process: it leaves its code before it ends.
        my $code = slurp("$state/log/$name.exit");
        fail('ok', 'exited', $code) if defined $code && $code =~ /^\d+$/;
        fail('ok', $runs ? 'running' : 'killed');
    },
    stop => sub {
        my (undef, $name) = @_;
        my $note = slurp("$state/log/$name.pid") // fail('missing');
        my ($pid, $began, $mark) = split ' ', $note;
        end_all($pid, $began, "PROLIFERATE_PROCESS=$mark");
        print "ok\n";
    },
    log => sub {
        my (undef, $name, $from, $max) = @_;
        my $log = "$state/log/$name";
        fail('missing') unless defined slurp("$log.pid");
        my @starts = sort { $a <=> $b } map { /\.(\d+)$/ ? $1 : () } glob "$log.*";
        my @behind = grep { $_ <= $from } @starts;
        shift @starts while @behind && $starts[0] < $behind[-1];
        for my $start (@starts) {
            my $begin = $from > $start ? $from : $start;
            sysopen my $file, "$log.$start", O_RDONLY | O_NOFOLLOW | O_NONBLOCK or next;
            sysseek $file, $begin - $start, 0;
            sysread $file, my $bytes, $max or next;
            print "ok $begin\n$bytes";
            return;
        }
        print "ok $from\n";
    },
    read => sub {
        my (undef, $path, $max) = @_;
        my ($name, $error) = walk($path, 0, 0);
        explain($error) if $error;
        fail('invalid', 'not a plain file') unless defined $name;
        sysopen my $file, $name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW or explain($! + 0);
        fail('invalid', 'not a plain file') unless -f $file;
        my $bytes = '';
        1 while sysread $file, $bytes, 65536, length $bytes and length $bytes <= $max;
        fail('large') if length $bytes > $max;
        print "ok\n", $bytes;
    },
    write => sub {
        my (undef) = @_;
        my $body = take($body_bytes);
        while (length $body) {
            $body =~ s/^(\d+)\0(\d+)\0([^\0]*)\0// or fail('failed', 'not a request');
            my ($mode, $length, $path) = ($1, $2, $3);
            my $bytes = substr $body, 0, $length, '';
            my ($name, $error) = walk($path, 1, 0);
            explain($error) if $error;
            fail('invalid', 'not a name for a file') unless defined $name;
            my $new = ".proliferate-$$.new";
            unlink $new;
            sysopen my $file, $new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600 or explain($! + 0);
            my $put = print $file $bytes;
            $put = close($file) && $put;
            $put = $put && chmod($mode & 0777, $new) && rename($new, $name);
            if (!$put) {
                my ($why, $text) = ($! + 0, "$!");
                unlink $new;
                fail('invalid', 'not a name for a file') if $why == EISDIR;
                fail('failed', $text);
            }
        }
        print "ok\n";
    },
    list => sub {
        my (undef, $path, $max) = @_;
        my (undef, $error) = walk($path, 0, 1);
        explain($error) if $error;
        my $told = "ok\n";
        for my $name (names($max)) {
            my @seen = lstat $name or next;
            my $kind = S_ISREG($seen[2]) ? 'f' : S_ISDIR($seen[2]) ? 'd' : S_ISLNK($seen[2]) ? 'l' : 'o';
            $told .= "$kind $seen[7] $name\0";
        }
        print $told;
    },
    remove => sub {
        for my $path (split /\0/, take($body_bytes)) {
            my ($name, $error) = walk($path, 0, 0);
            next if $error && $error == ENOENT;
            explain($error) if $error;
            fail('invalid', 'the home directory stays') unless defined $name;
            remove_tree($name, 0);
        }
        print "ok\n";
    },
    connect => sub {
        my (undef, $port) = @_;
        my $socket;
        # A server may listen on either.
        my @places = ([AF_INET, pack_sockaddr_in($port, INADDR_LOOPBACK)],
            [AF_INET6, pack_sockaddr_in6($port, inet_pton(AF_INET6, '::1'))]);
        for my $place (@places) {
            socket my $try, $place->[0], SOCK_STREAM, 0 or next;
            if (connect $try, $place->[1]) { $socket = $try; last }
        }
        fail('missing') unless $socket;
        print "ok\n";
        my $sender = fork // fail('failed', "$!");
        if ($sender == 0) {
            copy(\*STDIN, $socket);
            shutdown $socket, 1;
            POSIX::_exit(0);
        }
        # Who asks has gone when the sender has: what the server still says is waited for a little.
        $SIG{CHLD} = sub { alarm 60 };
        $SIG{ALRM} = sub { POSIX::_exit(0) };
        alarm 60 if waitpid($sender, POSIX::WNOHANG()) > 0;
        copy($socket, \*STDOUT);
        $SIG{CHLD} = 'DEFAULT';
        kill 'KILL', $sender;
        POSIX::_exit(0);
    },
);
my $env = take($env_bytes);
($do{$command} // fail('failed', 'not a command'))->($env, @args);
