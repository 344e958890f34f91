! race: wildcard receives and non-blocking probes from Fortran, with "use mpi", besides Fortran's own random numbers
! and clock.
!
!     mpirun -n 4 race_f90
program race
  use mpi
  implicit none
  integer, parameter :: numbers = 100, tag = 4
  integer :: rank, size, ierror

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  if (rank == 0) then
    call fold(numbers * (size - 1))
  else
    call send()
  end if
  call MPI_Finalize(ierror)

contains

  subroutine send()
    double precision :: number
    integer :: i, code
    call random_seed()
    do i = 1, numbers
      call random_number(number)
      call MPI_Send(number, 1, MPI_DOUBLE_PRECISION, 0, tag, MPI_COMM_WORLD, code)
    end do
  end subroutine send

  ! Takes half of the messages by MPI_Iprobe and MPI_Recv, half by MPI_Irecv and MPI_Test.
  subroutine fold(messages)
    integer, intent(in) :: messages
    double precision :: number, answer
    integer :: status(MPI_STATUS_SIZE), request, left, code
    integer(kind=8) :: failed, started, ended
    logical :: there

    answer = 0.0d0
    failed = 0
    call system_clock(started)
    left = messages
    do while (left > 0)
      if (mod(left, 2) == 0) then
        call MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, there, status, code)
        if (.not. there) then
          failed = failed + 1
          cycle
        end if
        call MPI_Recv(number, 1, MPI_DOUBLE_PRECISION, status(MPI_SOURCE), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, &
                      code)
      else
        call MPI_Irecv(number, 1, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, request, code)
        there = .false.
        do while (.not. there)
          call MPI_Test(request, there, status, code)
          if (.not. there) failed = failed + 1
        end do
      end if
      answer = 0.99d0 * answer + number + status(MPI_SOURCE)
      left = left - 1
    end do
    call system_clock(ended)
    print '(a,f18.14,a,i0,a,i0)', 'answer = ', answer, ', failed polls = ', failed, ', clock ticks = ', &
      ended - started
  end subroutine fold
end program race
